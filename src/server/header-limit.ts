/**
 * Long URLs are common in archives, wabac puts POST bodies into them, and each character past ASCII takes six to twelve
 * bytes in a request line. Node's default is 16 KiB.
 */
export const MAX_HEADER_BYTES = 256 * 1024;
