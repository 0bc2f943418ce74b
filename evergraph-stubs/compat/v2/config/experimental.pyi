# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.config.experimental."""

from evergraph.config.experimental import VirtualDeviceConfiguration as VirtualDeviceConfiguration
from evergraph.config.experimental import get_device_policy as get_device_policy
from evergraph.config.experimental import get_memory_growth as get_memory_growth
from evergraph.config.experimental import get_synchronous_execution as get_synchronous_execution
from evergraph.config.experimental import get_virtual_device_configuration as get_virtual_device_configuration
from evergraph.config.experimental import get_visible_devices as get_visible_devices
from evergraph.config.experimental import list_logical_devices as list_logical_devices
from evergraph.config.experimental import list_physical_devices as list_physical_devices
from evergraph.config.experimental import set_device_policy as set_device_policy
from evergraph.config.experimental import set_memory_growth as set_memory_growth
from evergraph.config.experimental import set_synchronous_execution as set_synchronous_execution
from evergraph.config.experimental import set_virtual_device_configuration as set_virtual_device_configuration
from evergraph.config.experimental import set_visible_devices as set_visible_devices
