import { refusal } from '../base/refusal.ts'
import type { Software } from './software.ts'

/** Refuses with 409 `software.proxy` what only a server with a world of its own has. */
export function requireWorld(software: Pick<Software, 'isProxy'> | null): void {
  if (!software?.isProxy) return
  throw refusal(409, 'software.proxy')
}
