/** Texts shared by all administration screens. */
export const owner = {
  'owner.managers-only': 'Only a manager of this farm can do this: ask one.',
  'owner.needs-signal': 'This needs signal. Nothing here is kept on the device.',
  'owner.confirm': 'Your password, please',
  'owner.confirm-why': 'For the next 15 minutes you can run the farm from this device.',
  'owner.password': 'Password',
  'owner.go-on': 'Go on',
  'owner.wrong-password': 'That is not your password. Type it again.',
  'owner.too-often': 'Too many wrong passwords. Wait a minute, then try again.',
  'owner.qr': 'The link as a code for a camera',
  'owner.copy': 'Copy',
  'owner.copied': 'Copied',
  'owner.share': 'Share',
  'owner.link-alone':
    'This link works on this machine alone. To let others open it, start the farm with --host 0.0.0.0 or with its public address, then make a new link.',
  'owner.link-how': 'How others reach the farm',
} as const
