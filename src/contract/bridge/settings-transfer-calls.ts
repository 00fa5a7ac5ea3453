import { z } from 'zod'
import { call } from './call.ts'
import type { Settings } from './values.ts'

/** Maximum file length in UTF-16 units; 1,000 connections take some 300,000. */
export const MOVING_MOST = 1_000_000

export interface SettingsPreview {
  connections: {
    address: string
    user: { name: string | null; email: string | null } | null
    /** `known`: already here. `unusable`: unsupported address. */
    outcome: 'new' | 'known' | 'unusable'
  }[]
  settings: Settings | null
  /** Includes settings for tray and notifications, which apply only if the panel has its own window. */
  desktop: boolean
}

const text = z.string().max(MOVING_MOST)

/** Exports and imports connections and settings. Never tokens or passwords. */
export const settingsTransferCalls = {
  'settings-transfer.save': call<{ path: string }>().of(z.undefined()),
  /** What a file would change. `invalid`: not our format, damaged, or of a newer version. */
  'settings-transfer.preview': call<SettingsPreview>().of(z.object({ text })),
  /** Adds new connections, signed out, and optionally applies the settings. */
  'settings-transfer.bring': call<{ added: number }>().of(z.object({ text, settings: z.boolean() })),
}
