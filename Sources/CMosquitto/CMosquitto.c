#include "CMosquitto.h"

#include <dlfcn.h>
#include <stddef.h>

/// Where a function goes, and what the library calls it.
struct entry {
  size_t offset;
  const char *name;
};

#define ENTRY(field, name) {offsetof(struct mosquitto_functions, field), "mosquitto_" name}

static const struct entry entries[] = {
    ENTRY(lib_init, "lib_init"),
    ENTRY(new_client, "new"),
    ENTRY(destroy, "destroy"),
    ENTRY(int_option, "int_option"),
    ENTRY(will_set, "will_set"),
    ENTRY(username_pw_set, "username_pw_set"),
    ENTRY(tls_set, "tls_set"),
    ENTRY(connect, "connect"),
    ENTRY(disconnect, "disconnect"),
    ENTRY(publish, "publish"),
    ENTRY(subscribe, "subscribe"),
    ENTRY(socket, "socket"),
    ENTRY(want_write, "want_write"),
    ENTRY(loop_read, "loop_read"),
    ENTRY(loop_write, "loop_write"),
    ENTRY(loop_misc, "loop_misc"),
    ENTRY(strerror, "strerror"),
    ENTRY(connack_string, "connack_string"),
    ENTRY(reason_string, "reason_string"),
    ENTRY(user_data_set, "user_data_set"),
    ENTRY(connect_callback_set, "connect_callback_set"),
    ENTRY(disconnect_callback_set, "disconnect_callback_set"),
    ENTRY(publish_v5_callback_set, "publish_v5_callback_set"),
    ENTRY(message_callback_set, "message_callback_set"),
    ENTRY(subscribe_callback_set, "subscribe_callback_set"),
};

const struct mosquitto_functions *mosquitto_load(void) {
  static struct mosquitto_functions functions;
  static int state;  // 0: not tried, 1: there, -1: missing
  if (state == 0) {
    void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    state = library ? 1 : -1;
    for (size_t i = 0; state == 1 && i < sizeof entries / sizeof entries[0]; i++) {
      void *function = dlsym(library, entries[i].name);
      if (!function) state = -1;
      *(void **)((char *)&functions + entries[i].offset) = function;
    }
    if (state == 1 && functions.lib_init() != MOSQ_ERR_SUCCESS) state = -1;
  }
  return state == 1 ? &functions : NULL;
}
