// The sketches, put into the binary by the compiler. A new one is its file and one line here; its name and what it is
// stand in its own first line.
#include "CFirmware.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char sketches[] = {
#embed "Arduino/bmm150.ino" suffix(, 0, )
#embed "Python/bmm150.py" suffix(, 0, )
#embed "Arduino/bno055.ino" suffix(, 0, )
#embed "Python/bno055.py" suffix(, 0, )
#embed "Arduino/fxos8700.ino" suffix(, 0, )
#embed "Python/fxos8700.py" suffix(, 0, )
#embed "Arduino/hmc5883l.ino" suffix(, 0, )
#embed "Python/hmc5883l.py" suffix(, 0, )
#embed "Arduino/icm20948.ino" suffix(, 0, )
#embed "Python/icm20948.py" suffix(, 0, )
#embed "Arduino/lis2mdl.ino" suffix(, 0, )
#embed "Python/lis2mdl.py" suffix(, 0, )
#embed "Arduino/lis3mdl.ino" suffix(, 0, )
#embed "Python/lis3mdl.py" suffix(, 0, )
#embed "Arduino/lsm303d.ino" suffix(, 0, )
#embed "Python/lsm303d.py" suffix(, 0, )
#embed "Arduino/lsm9ds1.ino" suffix(, 0, )
#embed "Python/lsm9ds1.py" suffix(, 0, )
#embed "Arduino/mlx90393.ino" suffix(, 0, )
#embed "Python/mlx90393.py" suffix(, 0, )
#embed "Arduino/mmc5603.ino" suffix(, 0, )
#embed "Python/mmc5603.py" suffix(, 0, )
#embed "Arduino/mmc5983ma.ino" suffix(, 0, )
#embed "Python/mmc5983ma.py" suffix(, 0, )
#embed "Arduino/mpu9250.ino" suffix(, 0, )
#embed "Python/mpu9250.py" suffix(, 0, )
#embed "Arduino/qmc5883l.ino" suffix(, 0, )
#embed "Python/qmc5883l.py" suffix(, 0, )
#embed "Arduino/qmc5883p.ino" suffix(, 0, )
#embed "Python/qmc5883p.py" suffix(, 0, )
#embed "Arduino/rm3100.ino" suffix(, 0, )
#embed "Python/rm3100.py" suffix(, 0, )
};

// What every sketch of a language has, in place of the line that includes it.
static const char arduinoBoard[] = {
#embed "Arduino/board.h"
    , 0};
static const char pythonBoard[] = {
#embed "Python/board_lines.py"
    , 0};

const char *const firmwareSketches = sketches;
const size_t firmwareSketchesSize = sizeof sketches;
static const struct FirmwareBoard boards[] = {
    {"#include \"board.h\"\n", arduinoBoard},
    {"from board_lines import *\n", pythonBoard},
};
const struct FirmwareBoard *const firmwareBoards = boards;
const size_t firmwareBoardCount = sizeof boards / sizeof boards[0];
