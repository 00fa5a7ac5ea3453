import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import { PLACE_MOST } from '../alerts/places.ts'

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
export type Bounds = z.infer<typeof Bounds>

/** Where a window stood among some screens. Sizes in device-independent pixels. */
const Place = z.object({ bounds: Bounds.nullable(), maximized: z.boolean() })
export type WindowPlace = z.infer<typeof Place>

/** Arrangements of screens of which is known where the window stood; those used last. */
const ARRANGEMENTS_MOST = 8
/** Further windows that are opened again. */
export const FURTHER_MOST = 8

/** What a window is opened with, kept from the last time. */
const WindowState = z.object({
  /** By the screens that there were: at a desk the window stands elsewhere than on the way. The newest last. */
  places: z.array(Place.extend({ screens: z.string().max(2000) })).max(ARRANGEMENTS_MOST),
  /** What was torn off into further windows, and where these stood. One of them that cannot be read costs them alone. */
  further: z
    .array(Place.extend({ shows: z.string().max(PLACE_MOST) }))
    .max(FURTHER_MOST)
    .catch([]),
  /** The setting, so that the window has the right colour before the panel's settings can be read. */
  theme: z.enum(['system', 'light', 'dark']),
  /** The setting, for dialogs and menus of that time. Files of older versions have none. */
  language: z.enum(['system', 'en', 'de']).default('system'),
})
export type WindowState = z.infer<typeof WindowState>

const fresh = (): WindowState => ({ places: [], further: [], theme: 'system', language: 'system' })

const fileIn = (folder: string) => join(folder, 'window.json')

/** Reads the state of last time; a missing or broken file is a fresh start. */
export async function readWindowState(folder: string): Promise<WindowState> {
  return (await readDataJson(fileIn(folder), (value) => WindowState.parse(value))) ?? fresh()
}

/** Keeps a state for the next start. Never throws: a window that opens elsewhere is no reason to bother anybody. */
export function keepWindowState(folder: string, state: WindowState): void {
  try {
    writeDataFile(fileIn(folder), JSON.stringify(state))
  } catch {
    // As above.
  }
}

const nameOf = (screens: readonly Bounds[]): string =>
  screens
    .map(({ x, y, width, height }) => `${x},${y},${width},${height}`)
    .sort()
    .join(' ')

/** Where the window stood among these screens, or was last where they are others, if it can be reached there. */
export function placeAmong({ places }: WindowState, screens: readonly Bounds[]): WindowPlace {
  const name = nameOf(screens)
  const place = places.find((one) => one.screens === name) ?? places.at(-1)
  return { bounds: reachable(place?.bounds ?? null, screens), maximized: place?.maximized ?? false }
}

/** Takes into the state where the window stands among these screens. */
export function placed(state: WindowState, screens: readonly Bounds[], place: WindowPlace): void {
  const name = nameOf(screens)
  const others = state.places.filter((one) => one.screens !== name)
  if (name.length <= 2000)
    state.places = [...others.slice(1 - ARRANGEMENTS_MOST), { ...place, screens: name }]
}

/** How many pixels of a window's title bar have to be on a screen for it to be grasped. */
const GRASP = 80

/** Bounds that can be reached on one of the screens, or null: a screen may have been unplugged since. */
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
