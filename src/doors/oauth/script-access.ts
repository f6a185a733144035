import type { ScriptAccess } from '../http/script-access.ts'

/** What the token endpoint answers is for the very client that asked. */
export const oauthScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/oauth2?\/authorize(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/oauth2?\//, openTo: 'the origins of the asking client' },
]
