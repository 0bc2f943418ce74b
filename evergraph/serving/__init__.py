"""A model server that answers TensorFlow Serving's clients: REST, gRPC and KServe's protocol."""
