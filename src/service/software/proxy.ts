import { refusal } from '../base/refusal.ts'
import type { Software } from './software.ts'

/** Throws 409 `software.proxy` for proxies. */
export function requireWorld(software: Pick<Software, 'isProxy'> | null): void {
  if (!software?.isProxy) return
  throw refusal(409, 'software.proxy')
}
