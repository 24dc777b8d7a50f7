// libhiprtc.so.6 and libhiprtc.so.5: nothing in hiprtc differs, so they hold nothing, and everything is found in
// libhiprtc.so.7, which they need.
