/// Linux calls and constants that Swift's Glibc module leaves out.
#ifndef CLINUX_H
#define CLINUX_H

#include <sys/eventfd.h>

#include "CLinuxCAN.h"
#include "CLinuxFiles.h"
#include "CLinuxI2C.h"
#include "CLinuxMemory.h"
#include "CLinuxPoll.h"
#include "CLinuxProcess.h"
#include "CLinuxPty.h"
#include "CLinuxSerial.h"
#include "CLinuxSocket.h"
#include "CLinuxTerminal.h"

#endif
