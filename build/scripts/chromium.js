// @ts-check
// Which Chromium tests drive: the system's where it is, else the one Playwright fetched.
import { existsSync } from 'node:fs'

const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

/**
 * Playwright's launch options for this machine.
 * @returns {{ executablePath?: string, args: string[] }}
 */
export function chromiumLaunch() {
  const executablePath = process.env.WHEELHOUSE_CHROMIUM ?? system.find((file) => existsSync(file))
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { ...(executablePath ? { executablePath } : {}), args }
}
