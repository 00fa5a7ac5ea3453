// After each test in the browser: what Svelte warned of fails it.
import { afterEach, expect } from 'vitest'

const warned: string[] = []
const warn = console.warn
console.warn = (...said: unknown[]) => {
  if (String(said[0]).includes('[svelte]')) warned.push(said.map(String).join(' '))
  warn(...said)
}

afterEach(() => expect(warned.splice(0), 'warnings of Svelte').toEqual([]))
