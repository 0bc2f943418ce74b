"""tf.contrib.kernel_methods: linear models over features that approximate a kernel."""
