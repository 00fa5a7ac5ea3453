// @ts-check
// Which Chromium is driven: the system's where it is, else the one Playwright fetched.
import { existsSync } from 'node:fs'

const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

/** Chromium without any window, which starts in a third of the time; Debian's package of the same name. */
const windowless = '/usr/bin/chromium-headless-shell'

/**
 * @param {string[]} files in the order in which they are taken
 * @param {string[]} more of its command line
 * @returns {{ executablePath?: string, args: string[] }}
 */
function launch(files, more) {
  const executablePath = process.env.WHEELHOUSE_CHROMIUM ?? files.find((file) => existsSync(file))
  // Chromium's sandbox does not work for root.
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...more]
  return { ...(executablePath ? { executablePath } : {}), args }
}

/** Playwright's launch options for what is measured: a browser as people have it. */
export const wholeChromium = () => launch([...system, windowless], [])

/**
 * Playwright's launch options for tests. A graphics card that is played by the processor takes a sixth of a journey's
 * time, and nothing they look at needs one.
 */
export const testChromium = () => launch([windowless, ...system], ['--disable-gpu'])

/** Whether a Chromium is here for {@link testChromium}, so that none has to be fetched. */
export const hasChromium = () => testChromium().executablePath !== undefined
