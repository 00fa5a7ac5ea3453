import { Refusal } from '../refusal.ts'
import type { Software } from './software.ts'

/** Refuses with 409 `software.proxy` what only a server with a world of its own has. */
export function requireWorld(software: Pick<Software, 'isProxy'> | null): void {
  if (!software?.isProxy) return
  throw new Refusal(
    409,
    'software.proxy',
    'This is a proxy: it has no world, no operators, no whitelist and no bans. Do this at the servers behind it.',
  )
}
