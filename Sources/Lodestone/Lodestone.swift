// `import Lodestone` gives everything that a program needs to use the instruments.
@_exported import Calibration
@_exported import Geomagnetism
@_exported import Instruments
@_exported import LodestoneCore
@_exported import LodestoneOutput
@_exported import Navigation
