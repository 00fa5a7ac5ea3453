import { loaded } from '../base/loaded.ts'

export const account = loaded({
  'start.title': 'Wheelhouse',
  'start.text': 'Run Minecraft servers, and see what happens on them.',
  'start.local': 'This computer',
  'start.local-text': 'Run servers here. No sign-up, no setup.',
  'start.local-not-here': 'Servers cannot run on this computer: {reason}',
  'start.service': 'Sign in to a service',
  'start.service-text': 'Manage servers on a hosting service or on another of your computers.',

  'add-server.button': 'Add server by ID',
} as const)
