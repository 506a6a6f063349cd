// `import LodestoneDrivers` gives protocols and chips for ports and buses of one's own.
@_exported import Drivers
@_exported import LodestoneCore
