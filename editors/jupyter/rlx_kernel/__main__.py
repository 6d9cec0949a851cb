from ipykernel.kernelapp import IPKernelApp

from .kernel import RlxKernel

IPKernelApp.launch_instance(kernel_class=RlxKernel)
