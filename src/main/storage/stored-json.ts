/** Reads JSON that we wrote into a database; null for none, and for what a fault of the disk has made of it. */
export function storedJson(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
