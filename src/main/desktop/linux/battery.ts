import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SUPPLIES = '/sys/class/power_supply'
const SUPPLIES_MOST = 50
/** Polling interval in ms: there is no notification. */
const LOOK_MS = 60_000

/**
 * True if the computer's own battery supplies power and nothing else does; batteries of mice do not count. Never
 * rejects: unreadable means false.
 */
export async function linuxOnBattery(folder = SUPPLIES): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const supplies = await Promise.all(
    names.slice(0, SUPPLIES_MOST).map(async (name) => {
      const [type, scope, online, status] = await Promise.all(
        ['type', 'scope', 'online', 'status'].map((file) => wordIn(join(folder, name, file))),
      )
      return { isBattery: type === 'Battery', isOurs: scope !== 'Device', online, status }
    }),
  )
  const ours = supplies.filter(({ isOurs }) => isOurs)
  const isPlugged = ours.some(({ isBattery, online }) => !isBattery && online !== null && online !== '0')
  return !isPlugged && ours.some(({ isBattery, status }) => isBattery && status === 'Discharging')
}

export function followLinuxBattery(
  changed: (onBattery: boolean) => void,
  look: () => Promise<boolean> = linuxOnBattery,
  everyMs = LOOK_MS,
): () => void {
  let was = false
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const lookOnce = async () => {
    const now = await look()
    if (isOver) return
    if (now !== was) changed((was = now))
    timer = setTimeout(() => void lookOnce(), everyMs).unref()
  }
  void lookOnce()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

async function wordIn(file: string): Promise<string | null> {
  const handle = await open(file).catch(() => null)
  if (!handle) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.toString('latin1', 0, bytesRead).trim()
  } catch {
    return null
  } finally {
    await handle.close().catch(() => undefined)
  }
}
