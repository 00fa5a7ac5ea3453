import { z } from 'zod'
import { call } from './call.ts'
import type { Settings } from './values.ts'

/** The longest file that is read, in UTF-16 units: one of 1,000 connections has some 300,000. */
export const MOVING_MOST = 1_000_000

/** What a file from another computer would bring. */
export interface MovingPreview {
  connections: {
    address: string
    /** Whose account it is; null where the file does not say. */
    user: { name: string | null; email: string | null } | null
    /** `known`: it is here already. `unusable`: the panel connects to no such address. */
    outcome: 'new' | 'known' | 'unusable'
  }[]
  settings: Settings | null
  /** Choices of the tray and of notifications, which hold where the panel has a window of its own. */
  desktop: boolean
}

const text = z.string().max(MOVING_MOST)

/** Connections and settings on their way to another computer. Never a token or a password. */
export const movingCalls = {
  /** Writes them into a file in the folder for downloads of this computer. */
  'moving.save': call<{ path: string }>().of(z.undefined()),
  /** What a file would bring; nothing is changed. `invalid`: it is none of ours, damaged, or of a newer version. */
  'moving.preview': call<MovingPreview>().of(z.object({ text })),
  /** Adds the connections that are new, each to be signed in to, and takes over the settings where that is wanted. */
  'moving.bring': call<{ added: number }>().of(z.object({ text, settings: z.boolean() })),
}
