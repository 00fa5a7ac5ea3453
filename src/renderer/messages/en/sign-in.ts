import { loaded } from '../base/loaded.ts'

export const signIn = loaded({
  'sign-in.no-keychain':
    'You’ll need to sign in again after closing Wheelhouse: this computer has no working keychain.',
  'sign-in.title': 'Sign in to a service',
  'sign-in.base-url': 'Service address',
  'sign-in.base-url-hint': 'For example panel.example.com, or sftp://user@node.example.com:2022',
  'sign-in.use-token': 'Use an access token',
  'sign-in.use-password': 'Use email and password',
  'sign-in.token': 'Access token',
  'sign-in.token-hint': 'Create one on the service and paste it here. It is sent only to this address.',
  'sign-in.key': 'API key',
  'sign-in.key-hint':
    'Make one in the panel under your account, API Credentials. It is sent only to this address and can do all that you can.',
  'sign-in.key-application':
    'This is an application key. Make one under your account, API Credentials, in place of it.',
  'sign-in.host-text':
    'A Pterodactyl or Pelican panel. Console, files, backups, status and power work here, the rest in the panel itself.',
  'sign-in.exaroton-key-hint':
    'Copy it at exaroton.com/account → API. It is sent only to exaroton and can do all that you can, also spend your credits.',
  'sign-in.exaroton-text':
    'exaroton: console, files, players, status and power work here, the rest at exaroton.com.',
  'sign-in.sftp-text':
    'A server reached by SFTP. Files, console and status work here, commands if RCON is on. It is started and stopped at your host.',
  'sign-in.host-key':
    'This host shows the key below, which is kept from now on. Compare it if your host names one.',
  'sign-in.host-key-asked': 'Asking the host for its key…',
  'sign-in.user': 'User',
  'sign-in.secret': 'Password or private key',
  'sign-in.secret-hint': 'Sent only to this host. A private key is not sent.',
  'sign-in.passphrase': 'Passphrase of the private key',
  'sign-in.passphrase-hint': 'Kept with the key in this computer’s keychain, and sent nowhere.',
  'sign-in.register': 'Create an account',
  'sign-in.forgot': 'Forgot password',
  'sign-in.have-account': 'I already have an account',
  'sign-in.wanted':
    'This service expects what was sent under other names: {names}. The panel can use them from now on; they are kept in the service’s API profile.',
  'sign-in.use-names': 'Use these names',
  'sign-in.refused': 'The service doesn’t let this account in. The email may not be confirmed yet.',
  'sign-in.again': 'Sign in to {connection} again',
  'sign-in.again-text': 'What was loaded before is still here.',

  'register.title': 'Create an account',
  'register.name': 'Name',
  'register.submit': 'Create account',
  'confirm.title': 'Confirm your email',
  'confirm.text': 'Enter the code from the email to {email}.',
  'confirm.text-perhaps': 'Enter the code that was sent to {email}, or have a new one sent.',
  'confirm.code': 'Code',
  'confirm.done': 'The email is confirmed. Sign in now.',
  'confirm.have-code': 'I have a code',
  'confirm.submit': 'Confirm',
  'confirm.resend': 'Send a new code',
  'confirm.resend-wait': {
    one: 'The service takes the next request in {count} second.',
    other: 'The service takes the next request in {count} seconds.',
  },
  'confirm.resend-soon': {
    one: 'The email may take a moment. You can ask for another in {count} second.',
    other: 'The email may take a moment. You can ask for another in {count} seconds.',
  },
  'confirm.resent': 'If this account exists, a new code is on its way.',

  'forgot.title': 'Forgot password',
  'forgot.text': 'If your email has an account, you will get a code to set a new password.',
  'forgot.submit': 'Send code',

  'reset.title': 'Set a new password',
  'reset.text': 'If {email} has an account, a code is on its way.',
  'reset.new-password': 'New password',
  'reset.submit': 'Set password',
  'reset.done': 'Your new password is set. Sign in with it.',

  'register.password-hint': 'At least 10 characters. A whole sentence works well.',

  'second-factor.sign-in': 'Enter the code',
  'second-factor.sign-in-text': 'Your password is right. This account also asks for a code.',
  'second-factor.code': 'Code from your app',
  'second-factor.code-hint': 'Six digits from your authenticator app, or a recovery code.',
  'second-factor.code-hint-app': 'Six digits.',

  'password.title': 'Change password',
  'password.current': 'Current password',
  'password.new': 'New password',
  'password.submit': 'Change password',
  'password.done': 'Password changed. You may need to sign in again on other devices.',

  'sign-in.email': 'Email',
  'sign-in.password': 'Password',
  'sign-in.submit': 'Sign in',
  'sign-in.wrong': 'The email or password is incorrect. Check both and try again.',
  'field.port': 'Enter a port from 1024 to 65535.',
  'field.email': 'Enter a valid email address.',
  'field.password-short': 'Use at least 10 characters.',
  'field.code': 'Enter the code exactly as it is in the email, without spaces.',
} as const)
