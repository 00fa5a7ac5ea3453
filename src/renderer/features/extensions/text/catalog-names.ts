const catalogs: Readonly<Record<string, string>> = { modrinth: 'Modrinth', hangar: 'Hangar' }

export function catalogName(catalog: string | { raw: string } | null | undefined): string | null {
  if (!catalog) return null
  const id = typeof catalog === 'string' ? catalog : catalog.raw
  return (Object.hasOwn(catalogs, id) ? catalogs[id] : undefined) ?? id
}
