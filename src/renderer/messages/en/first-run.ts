import { loaded } from '../base/loaded.ts'

export const firstRun = loaded({
  'first-run.title': 'First steps',
  'first-run.start': 'Start the server',
  'first-run.join': 'Join in Minecraft',
  'first-run.friends': 'Let friends in',
  'first-run.access': 'Share access',
} as const)
