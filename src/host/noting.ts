import { isFault, suspect } from './app-database.ts'

/** Wraps tables so that a fault requests a full check at the next start. */
export function noting<T extends object>(tables: T, file: string): T {
  const noted = Object.entries(tables).map(([name, method]) => {
    if (typeof method !== 'function') return [name, method] as const
    return [
      name,
      (...args: unknown[]) => {
        try {
          return (method as (...args: unknown[]) => unknown)(...args)
        } catch (error) {
          if (isFault(error)) suspect(file)
          throw error
        }
      },
    ] as const
  })
  return Object.fromEntries(noted) as T
}
