/**
 * Gives the memory of bytes back that nobody needs any more; they are empty afterwards. It lies outside of the heap: left
 * to collections, what passes leaves tens of megabytes of it behind before there is one, between which the allocator then
 * finds little that it can return to the system.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  // Small ones share theirs with others.
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
