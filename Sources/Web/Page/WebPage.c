// The page's files, put into the binary by the compiler. A new file is two lines here.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "app.js"
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
static const unsigned char draw_plot_js[] = {
#embed "draw/plot.js"
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
static const unsigned char icon_svg[] = {
#embed "icon.svg"
};
static const unsigned char index_html[] = {
#embed "index.html"
};
static const unsigned char live_js[] = {
#embed "live.js"
};
static const unsigned char numbers_js[] = {
#embed "numbers.js"
};
static const unsigned char openapi_json[] = {
#embed "openapi.json"
};
static const unsigned char style_css[] = {
#embed "style.css"
};
static const unsigned char views_attitude_js[] = {
#embed "views/attitude.js"
};
static const unsigned char views_calibrate_js[] = {
#embed "views/calibrate.js"
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

#define FILE(path, bytes) {path, bytes, sizeof bytes}

static const struct WebPageFile all[] = {
    FILE("app.js", app_js),
    FILE("dom.js", dom_js),
    FILE("draw/board.js", draw_board_js),
    FILE("draw/canvas.js", draw_canvas_js),
    FILE("draw/dial.js", draw_dial_js),
    FILE("draw/plot.js", draw_plot_js),
    FILE("draw/rose.js", draw_rose_js),
    FILE("draw/space.js", draw_space_js),
    FILE("draw/spectrum.js", draw_spectrum_js),
    FILE("draw/sphere.js", draw_sphere_js),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("live.js", live_js),
    FILE("numbers.js", numbers_js),
    FILE("openapi.json", openapi_json),
    FILE("style.css", style_css),
    FILE("views/attitude.js", views_attitude_js),
    FILE("views/calibrate.js", views_calibrate_js),
    FILE("views/compass.js", views_compass_js),
    FILE("views/devices.js", views_devices_js),
    FILE("views/field.js", views_field_js),
    FILE("views/level.js", views_level_js),
    FILE("views/motion.js", views_motion_js),
};

const struct WebPageFile *const webPageFiles = all;
const size_t webPageFileCount = sizeof all / sizeof all[0];
