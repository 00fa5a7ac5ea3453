/** Frees a buffer immediately. Left to the garbage collector, tens of megabytes pile up and fragment native memory. */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
