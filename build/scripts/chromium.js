// @ts-check
// Which Chromium tests drive: the system's where it is, else the one Playwright fetched.
import { existsSync } from 'node:fs'

const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

/** For tests: a graphics card that is played by the processor takes a sixth of a journey's time, and nothing they look at needs one. */
export const withoutGraphicsCard = ['--disable-gpu']

/**
 * Playwright's launch options for this machine.
 * @param {string[]} more of Chromium's command line
 * @returns {{ executablePath?: string, args: string[] }}
 */
export function chromiumLaunch(more = []) {
  const executablePath = process.env.WHEELHOUSE_CHROMIUM ?? system.find((file) => existsSync(file))
  // Chromium's sandbox does not work for root.
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...more]
  return { ...(executablePath ? { executablePath } : {}), args }
}
