import type { Component } from 'svelte'

export interface MenuItem {
  label: string
  icon?: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  danger?: boolean
  /** A toolbar shows it in words; the others are in its menu. */
  first?: boolean
  reason?: string | null
  /** A separator comes before it. */
  begins?: boolean
  /** Its shortcut, as shown. */
  keys?: string
  choose: () => void
}

export const menuBox = 'border-line bg-raised shadow-raised z-50 min-w-44 rounded-lg border p-1 outline-none'
