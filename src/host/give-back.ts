/**
 * Frees a buffer, which is empty afterwards. Buffers live outside the heap: left to the garbage collector, tens of
 * megabytes pile up and fragment the allocator's memory.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  // Small arrays share their buffer.
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
