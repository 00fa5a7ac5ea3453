import { loaded } from '../base/loaded.ts'

export const myAccount = loaded({
  'second-factor.title': 'Two-factor authentication',
  'second-factor.is-off': 'Off. When it is on, signing in also asks for a code from an app on your phone.',
  'second-factor.is-on':
    'Signing in, deleting a server, changing your password and unlinking a way to sign in also ask for a code from your authenticator app.',
  'second-factor.since': 'On since {time}',
  'second-factor.left': { one: '{count} recovery code left', other: '{count} recovery codes left' },
  'second-factor.set-up': 'Set up',
  'second-factor.on': 'Turn on',
  'second-factor.off': 'Turn off',
  'second-factor.on-title': 'Set up two-factor authentication',
  'second-factor.on-text':
    'You need an authenticator app, such as the one in your password manager. Enter your password first.',
  'second-factor.scan': 'Scan this code with your authenticator app.',
  'second-factor.qr': 'QR code for your authenticator app',
  'second-factor.by-hand': 'Or enter this key in the app:',
  'second-factor.copy-key': 'Copy the key',
  'second-factor.continue': 'Continue',
  'second-factor.codes-title': 'Recovery codes',
  'second-factor.is-on-now': 'Two-factor authentication is on.',
  'second-factor.codes-text':
    'Keep these codes where you find them without your phone. Each signs you in once. They are not shown again.',
  'second-factor.codes-copy': 'Copy all',
  'second-factor.codes-kept': 'I have kept them',
  'second-factor.off-title': 'Turn off two-factor authentication?',
  'second-factor.off-text': 'Signing in will no longer ask for a code. Your recovery codes stop working.',
  'second-factor.off-done': 'Two-factor authentication is off.',

  'methods.title': 'How you sign in',
  'methods.password': 'Email and password',
  'methods.set': 'A password is set.',
  'methods.not-set': 'No password is set.',
  'methods.unknown': 'Another service',
  'methods.since': 'linked {time}',
  'methods.unlink': 'Unlink',
  'methods.unlink-named': 'Unlink {provider}',
  'methods.no-password':
    'Unlinking requires your password, and no password is set. To set one, sign out and choose “Forgot password”: that also unlinks everything that is linked.',
  'methods.unlink-title': 'Unlink {provider}?',
  'methods.unlink-text':
    'Signing in to your account with {provider} will no longer work, and all other devices and programs have to sign in again. This panel stays signed in. Your account at {provider} stays as it is.',
  'methods.unlinked': '{provider} is unlinked, and all other sign-ins have ended.',

  'details.title': 'Your account',
  'details.name': 'Name',
  'details.email': 'Email: {email}',
  'details.name-long': 'Use at most 80 characters.',
  'details.name-line': 'A name cannot contain line breaks or control characters.',
  'details.language': 'Language of emails',
  'details.language-none': 'Not chosen',
  'details.unchanged': 'Nothing has been changed yet.',
  'details.saved': 'Your account was saved.',

  'sessions.title': 'Where you are signed in',
  'sessions.text':
    'End a session that you don’t know, and then change the password that you sign in with. Each device tells its own name.',
  'sessions.none': 'The service named no device.',
  'sessions.this': 'This panel',
  'sessions.unknown': 'Unknown device',
  'sessions.used': 'last used {time}',
  'sessions.begun': 'signed in {time}',
  'sessions.left-out': { one: 'One session couldn’t be read.', other: '{count} sessions couldn’t be read.' },
  'sessions.perhaps-more': 'There may be more sessions than are shown.',
  'sessions.end': 'End',
  'sessions.end-named': 'End the session of {device}',
  'sessions.ended': 'The session of {device} has ended.',
  'sessions.all': 'Show all {count}',
  'sessions.end-others': 'End all other sessions',
  'sessions.end-others-title': 'End all other sessions?',
  'sessions.end-others-text':
    'All other devices and programs have to sign in again. This panel stays signed in.',
  'sessions.others-ended': 'All other sessions have ended.',

  'my-data.title': 'Your data',
  'my-data.text':
    'Everything that the service says it has about your account, as a JSON file in your downloads folder.',
  'my-data.save': 'Save my data',
  'my-data.saved': 'Saved as {path}',
} as const)
