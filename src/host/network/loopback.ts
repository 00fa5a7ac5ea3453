/** True for 127.0.0.0/8, ::1 and localhost, as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
