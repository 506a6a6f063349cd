// The page's files, put into the binary by the compiler. A new file is a line in each of the two lists.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "app.js"
};
static const unsigned char device_js[] = {
#embed "device.js"
};
static const unsigned char dom_js[] = {
#embed "dom.js"
};
static const unsigned char draw_board_js[] = {
#embed "draw/board.js"
};
static const unsigned char draw_canvas_js[] = {
#embed "draw/canvas.js"
};
static const unsigned char draw_dial_js[] = {
#embed "draw/dial.js"
};
static const unsigned char draw_history_js[] = {
#embed "draw/history.js"
};
static const unsigned char draw_rose_js[] = {
#embed "draw/rose.js"
};
static const unsigned char draw_space_js[] = {
#embed "draw/space.js"
};
static const unsigned char draw_spectrum_js[] = {
#embed "draw/spectrum.js"
};
static const unsigned char draw_sphere_js[] = {
#embed "draw/sphere.js"
};
static const unsigned char icon_192_png[] = {
#embed "icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "icon-512.png"
};
static const unsigned char icon_svg[] = {
#embed "icon.svg"
};
static const unsigned char index_html[] = {
#embed "index.html"
};
static const unsigned char keep_js[] = {
#embed "keep.js"
};
static const unsigned char live_js[] = {
#embed "live.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "manifest.webmanifest"
};
static const unsigned char numbers_js[] = {
#embed "numbers.js"
};
static const unsigned char record_js[] = {
#embed "record.js"
};
static const unsigned char sound_js[] = {
#embed "sound.js"
};
static const unsigned char style_css[] = {
#embed "style.css"
};
static const unsigned char tabs_js[] = {
#embed "tabs.js"
};
static const unsigned char token_html[] = {
#embed "token.html"
};
static const unsigned char views_attitude_js[] = {
#embed "views/attitude.js"
};
static const unsigned char views_calibrate_js[] = {
#embed "views/calibrate.js"
};
static const unsigned char views_causes_js[] = {
#embed "views/causes.js"
};
static const unsigned char views_compass_js[] = {
#embed "views/compass.js"
};
static const unsigned char views_devices_js[] = {
#embed "views/devices.js"
};
static const unsigned char views_field_js[] = {
#embed "views/field.js"
};
static const unsigned char views_level_js[] = {
#embed "views/level.js"
};
static const unsigned char views_motion_js[] = {
#embed "views/motion.js"
};
static const unsigned char views_raw_js[] = {
#embed "views/raw.js"
};
static const unsigned char views_settings_js[] = {
#embed "views/settings.js"
};
static const unsigned char views_beside_js[] = {
#embed "views/beside.js"
};
static const unsigned char views_distance_js[] = {
#embed "views/distance.js"
};
static const unsigned char views_swing_js[] = {
#embed "views/swing.js"
};
static const unsigned char worker_js[] = {
#embed "worker.js"
};

#define FILE(path, bytes) {path, bytes, sizeof bytes}

static const struct WebPageFile all[] = {
    FILE("app.js", app_js),
    FILE("device.js", device_js),
    FILE("dom.js", dom_js),
    FILE("draw/board.js", draw_board_js),
    FILE("draw/canvas.js", draw_canvas_js),
    FILE("draw/dial.js", draw_dial_js),
    FILE("draw/history.js", draw_history_js),
    FILE("draw/rose.js", draw_rose_js),
    FILE("draw/space.js", draw_space_js),
    FILE("draw/spectrum.js", draw_spectrum_js),
    FILE("draw/sphere.js", draw_sphere_js),
    FILE("icon-192.png", icon_192_png),
    FILE("icon-512.png", icon_512_png),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("keep.js", keep_js),
    FILE("live.js", live_js),
    FILE("manifest.webmanifest", manifest_webmanifest),
    FILE("numbers.js", numbers_js),
    FILE("record.js", record_js),
    FILE("sound.js", sound_js),
    FILE("style.css", style_css),
    FILE("tabs.js", tabs_js),
    FILE("token.html", token_html),
    FILE("views/attitude.js", views_attitude_js),
    FILE("views/calibrate.js", views_calibrate_js),
    FILE("views/causes.js", views_causes_js),
    FILE("views/compass.js", views_compass_js),
    FILE("views/devices.js", views_devices_js),
    FILE("views/field.js", views_field_js),
    FILE("views/level.js", views_level_js),
    FILE("views/motion.js", views_motion_js),
    FILE("views/raw.js", views_raw_js),
    FILE("views/settings.js", views_settings_js),
    FILE("views/beside.js", views_beside_js),
    FILE("views/distance.js", views_distance_js),
    FILE("views/swing.js", views_swing_js),
    FILE("worker.js", worker_js),
};

const struct WebPageFile *const webPageFiles = all;
const size_t webPageFileCount = sizeof all / sizeof all[0];
