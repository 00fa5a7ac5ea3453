import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import { PLACE_MOST } from '../alerts/places.ts'

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
export type Bounds = z.infer<typeof Bounds>

/** Sizes in device-independent pixels. */
const WindowPlacement = z.object({ bounds: Bounds.nullable(), maximized: z.boolean() })
export type WindowPlacement = z.infer<typeof WindowPlacement>

const ARRANGEMENTS_MOST = 8
export const FURTHER_MOST = 8

const WindowState = z.object({
  /** By screen arrangement, newest last. */
  places: z.array(WindowPlacement.extend({ screens: z.string().max(2000) })).max(ARRANGEMENTS_MOST),
  /** Torn-off windows. Each invalid one is dropped alone. */
  further: z
    .array(WindowPlacement.extend({ shows: z.string().max(PLACE_MOST) }))
    .max(FURTHER_MOST)
    .catch([]),
  /** The setting, needed for the right color before the database is read. */
  theme: z.enum(['system', 'light', 'dark']),
  /** The setting, for early dialogs and menus. Older files lack it. */
  language: z.enum(['system', 'en', 'de']).default('system'),
})
export type WindowState = z.infer<typeof WindowState>

const fresh = (): WindowState => ({ places: [], further: [], theme: 'system', language: 'system' })

const fileIn = (folder: string) => join(folder, 'window.json')

export async function readWindowState(folder: string): Promise<WindowState> {
  return (await readDataJson(fileIn(folder), (value) => WindowState.parse(value))) ?? fresh()
}

/** Never throws: a misplaced window is not worth an error. */
export function keepWindowState(folder: string, state: WindowState): void {
  try {
    writeDataFile(fileIn(folder), JSON.stringify(state))
  } catch {
    // Best effort.
  }
}

const nameOf = (screens: readonly Bounds[]): string =>
  screens
    .map(({ x, y, width, height }) => `${x},${y},${width},${height}`)
    .sort()
    .join(' ')

/** For these screens, else the last place, if reachable there. */
export function placeAmong({ places }: WindowState, screens: readonly Bounds[]): WindowPlacement {
  const name = nameOf(screens)
  const place = places.find((one) => one.screens === name) ?? places.at(-1)
  return { bounds: reachable(place?.bounds ?? null, screens), maximized: place?.maximized ?? false }
}

export function placed(state: WindowState, screens: readonly Bounds[], place: WindowPlacement): void {
  const name = nameOf(screens)
  const others = state.places.filter((one) => one.screens !== name)
  if (name.length <= 2000)
    state.places = [...others.slice(1 - ARRANGEMENTS_MOST), { ...place, screens: name }]
}

/** Title-bar pixels that must be on a screen to grab the window. */
const GRASP = 80

/** Null if off-screen: a screen may have been unplugged. */
export function reachable(bounds: Bounds | null, screens: readonly Bounds[]): Bounds | null {
  if (!bounds) return null
  const seen = screens.some(
    (screen) =>
      bounds.x + bounds.width - GRASP >= screen.x &&
      bounds.x + GRASP <= screen.x + screen.width &&
      bounds.y >= screen.y &&
      bounds.y + GRASP <= screen.y + screen.height,
  )
  return seen ? bounds : null
}

const BY_ITSELF = 3
/** After this many ms without a crash, the count resets. */
const WELL_MS = 10 * 60_000

/** Counts page crashes: the first three reload, then the user is asked. */
export class Recoveries {
  #crashes = 0
  #last = -Infinity

  crashed(now: number): 'reload' | 'ask' {
    if (now - this.#last >= WELL_MS) this.#crashes = 0
    this.#last = now
    this.#crashes++
    return this.#crashes <= BY_ITSELF ? 'reload' : 'ask'
  }

  begin(): void {
    this.#crashes = 0
  }
}

/** Chromium zoom levels, 20% each: about ½ to 4. */
const LEAST = -4
const MOST = 8
const STEP = 0.5

export function zoomed(level: number, direction: 'in' | 'out'): number {
  const next = (Number.isFinite(level) ? level : 0) + (direction === 'in' ? STEP : -STEP)
  return Math.min(MOST, Math.max(LEAST, next))
}
