type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null if the text isn't a JSON object. */
export function readProfile(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Adds what is only in `seen`. The profile's own entries win. */
export function withSeen(profile: string, seen: string | null): string | null {
  const [mine, theirs] = [readProfile(profile), readProfile(seen ?? '')]
  if (!mine || !theirs) return null
  const merged = `${JSON.stringify(merge(mine, theirs), null, 2)}\n`
  return merged === `${JSON.stringify(mine, null, 2)}\n` ? null : merged
}

function merge(mine: Json, theirs: Json): Json {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [mine, theirs].map((from) => (Object.hasOwn(from, name) ? from[name] : undefined))
      return [name, isObject(one) && isObject(other) ? merge(one, other) : (one ?? other)]
    }),
  )
}

export function headersIn(text: string): string[] {
  const names = readProfile(text)?.['headers']
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** What is at a fault's path; the whole text if there is no path or no JSON. */
export function textAt(text: string, at: readonly string[]): string {
  const profile = readProfile(text)
  if (at.length === 0 || !profile) return text
  let value: unknown = profile
  for (const name of at) value = Object(value) === value ? (value as Json)[name] : undefined
  return JSON.stringify(value) ?? ''
}
