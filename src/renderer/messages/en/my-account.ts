import { loaded } from '../loaded.ts'

/** A person's own account at a service: the second factor, sign-ins, name and data. */
export const myAccount = loaded({
  'second-factor.title': 'Second factor',
  'second-factor.is-off':
    'Signing in asks for your password alone. With a second factor, it also asks for a code from an app on your phone.',
  'second-factor.is-on':
    'Signing in, deleting a server and changing your password also ask for a code from your authenticator app.',
  'second-factor.since': 'On since {time}',
  'second-factor.left': { one: '{count} recovery code left', other: '{count} recovery codes left' },
  'second-factor.on': 'Turn on',
  'second-factor.off': 'Turn off',
  'second-factor.on-title': 'Turn on the second factor',
  'second-factor.on-text':
    'You need an authenticator app, such as the one in your password manager. Enter your password first.',
  'second-factor.scan': 'Scan this code with your authenticator app.',
  'second-factor.qr': 'QR code for your authenticator app',
  'second-factor.by-hand': 'Or enter this key in the app:',
  'second-factor.copy-key': 'Copy the key',
  'second-factor.continue': 'Continue',
  'second-factor.codes-title': 'Recovery codes',
  'second-factor.is-on-now': 'The second factor is on.',
  'second-factor.codes-text':
    'Keep these codes where you find them without your phone. Each signs you in once. They are not shown again.',
  'second-factor.codes-copy': 'Copy all',
  'second-factor.codes-kept': 'I have kept them',
  'second-factor.off-title': 'Turn off the second factor?',
  'second-factor.off-text': 'Signing in will ask for your password alone. Your recovery codes stop working.',
  'second-factor.off-done': 'The second factor is off.',
} as const)
