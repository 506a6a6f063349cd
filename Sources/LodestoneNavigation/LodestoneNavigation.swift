// `import LodestoneNavigation` gives the values without any device: calibration, instruments, the Earth's field.
@_exported import Calibration
@_exported import Geomagnetism
@_exported import LodestoneCore
@_exported import Navigation
