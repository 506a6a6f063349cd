// `import Lodestone` gives everything that a program needs: to use the instruments, and to bring a source, a chip, a
// protocol or a sink of its own.
@_exported import Calibration
@_exported import Drivers
@_exported import Geomagnetism
@_exported import Instruments
@_exported import LodestoneCore
@_exported import LodestoneOutput
@_exported import LodestonePorts
@_exported import Navigation
