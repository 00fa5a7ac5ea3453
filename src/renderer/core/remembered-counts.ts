const key = 'server-counts'

function read(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Last known number of servers, to reserve room while the list loads. At most 40. */
export function rememberedCount(connectionId: string): number {
  const count = Number(read()[connectionId] ?? 3)
  return Number.isInteger(count) && count >= 0 ? Math.min(count, 40) : 3
}

export function rememberCount(connectionId: string, count: number): void {
  const counts = read()
  if (counts[connectionId] === count) return
  localStorage.setItem(key, JSON.stringify({ ...counts, [connectionId]: count }))
}

export function keepCountsOf(connectionIds: ReadonlySet<string>): void {
  const kept = Object.entries(read()).filter(([id]) => connectionIds.has(id))
  localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)))
}
