# A file that is broken and none of TVM's: nothing is told.
import modal


@app,function
def main(x):
    return x
