/// I²C buses of the kernel (i2c-dev).
#ifndef CLINUX_I2C_H
#define CLINUX_I2C_H

#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#endif
