import { join } from 'node:path'
import { z } from 'zod'
import { readKeptJson, writeKept } from '../../computer/kept-file.ts'

/** What a window is opened with, kept from the last time. Sizes in device-independent pixels. */
const WindowState = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }).nullable(),
  maximized: z.boolean(),
  /** The setting, so that the window has the right colour before the panel's settings can be read. */
  theme: z.enum(['system', 'light', 'dark']),
})
export type WindowState = z.infer<typeof WindowState>
export type Bounds = NonNullable<WindowState['bounds']>

const fresh = (): WindowState => ({ bounds: null, maximized: false, theme: 'system' })

const fileIn = (folder: string) => join(folder, 'window.json')

/** Reads the state of last time; a missing or broken file is a fresh start. */
export async function readWindowState(folder: string): Promise<WindowState> {
  return (await readKeptJson(fileIn(folder), (value) => WindowState.parse(value))) ?? fresh()
}

/** Keeps a state for the next start. Never throws: a window that opens elsewhere is no reason to bother anybody. */
export function keepWindowState(folder: string, state: WindowState): void {
  try {
    writeKept(fileIn(folder), JSON.stringify(state))
  } catch {
    // As above.
  }
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
