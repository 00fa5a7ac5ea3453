const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `1536` → `1.5 KiB`. */
export function bytesInWords(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1]
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  return `${shown} ${UNITS[unit] ?? ''}`
}
