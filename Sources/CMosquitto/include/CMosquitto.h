/// libmosquitto, the client library for MQTT, loaded when it is first asked for: linking it would make every start of
/// the program three times as long.
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

/// The functions that are used, by their names in libmosquitto without `mosquitto_`.
struct mosquitto_functions {
  __typeof__(mosquitto_lib_init) *_Nonnull lib_init;
  __typeof__(mosquitto_new) *_Nonnull new_client;
  __typeof__(mosquitto_destroy) *_Nonnull destroy;
  __typeof__(mosquitto_int_option) *_Nonnull int_option;
  __typeof__(mosquitto_will_set) *_Nonnull will_set;
  __typeof__(mosquitto_username_pw_set) *_Nonnull username_pw_set;
  __typeof__(mosquitto_tls_set) *_Nonnull tls_set;
  __typeof__(mosquitto_connect) *_Nonnull connect;
  __typeof__(mosquitto_disconnect) *_Nonnull disconnect;
  __typeof__(mosquitto_publish) *_Nonnull publish;
  __typeof__(mosquitto_subscribe) *_Nonnull subscribe;
  __typeof__(mosquitto_socket) *_Nonnull socket;
  __typeof__(mosquitto_want_write) *_Nonnull want_write;
  __typeof__(mosquitto_loop_read) *_Nonnull loop_read;
  __typeof__(mosquitto_loop_write) *_Nonnull loop_write;
  __typeof__(mosquitto_loop_misc) *_Nonnull loop_misc;
  __typeof__(mosquitto_strerror) *_Nonnull strerror;
  __typeof__(mosquitto_connack_string) *_Nonnull connack_string;
  __typeof__(mosquitto_reason_string) *_Nonnull reason_string;
  __typeof__(mosquitto_user_data_set) *_Nonnull user_data_set;
  __typeof__(mosquitto_connect_callback_set) *_Nonnull connect_callback_set;
  __typeof__(mosquitto_disconnect_callback_set) *_Nonnull disconnect_callback_set;
  __typeof__(mosquitto_publish_v5_callback_set) *_Nonnull publish_v5_callback_set;
  __typeof__(mosquitto_message_callback_set) *_Nonnull message_callback_set;
  __typeof__(mosquitto_subscribe_callback_set) *_Nonnull subscribe_callback_set;
};

/// Loads the library once; null where it is not installed or lacks a function. Not for two threads at once.
const struct mosquitto_functions *_Nullable mosquitto_load(void);

#endif
