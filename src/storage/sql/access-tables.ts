import type { Generated } from 'kysely'
import type { ExpiresIn, Grant } from '../../farm/people/clients.ts'
import type { RoleName } from '../../farm/people/roles.ts'

export interface AccountRow {
  uid: Generated<number>
  uuid: string
  name: string
  name_key: string
  mail: string
  mail_key: string
  language: string
  /** An IANA name; null where the person has said none. */
  timezone: string | null
  role: RoleName | null
  /** Null for a service account, which cannot log in. */
  password_hash: string | null
  blocked: number
  created: number
}

/** `hash` columns hold the SHA-256 of a random value that only its bearer knows. */
export interface SessionRow {
  hash: string
  uid: number
  created: number
  expires: number
  /** The user agent on the account page, so that a person recognises the device. */
  agent: string
  address: string
  /** The last password confirmation; null if unknown. */
  confirmed: number | null
}

/** A client that was registered here, or a declared one whose settings were changed here. Lists are JSON. */
export interface ClientRow {
  id: string
  label: string
  secret_hash: string | null
  grants: string
  scopes: string
  default_scopes: string
  redirect_uris: string
  origins: string
  pkce: 'required' | 'optional'
  expires_in: ExpiresIn
  access_lifetime: number
  refresh_lifetime: number
  code_lifetime: number
  disabled: number
  /** 0: only changed here, so that it is gone when nothing declares it any more. */
  registered: number
  /** The service account that the client acts as with its own credentials. */
  service_uid: number | null
  created: number
}

/** Everything that one consent or one login gave to one client: its tokens live and die with it. */
export interface TokenFamilyRow {
  id: string
  client: string
  uid: number
  scope: string
  /** Null for older families. */
  grant_type: Grant | null
  created: number
  /** The expiry of its last token, however often it is refreshed. */
  ends: number
  /** The name that a person gave to a token of their own; null for what a client was given. */
  label: string | null
}

/** Repeats the client and user of its family, because every request looks it up. */
export interface AccessTokenRow {
  hash: string
  family: string
  client: string
  uid: number
  scope: string
  issued: number
  expires: number
}

export interface RefreshTokenRow {
  hash: string
  family: string
  issued: number
  expires: number
  /** The time of rotation; the row is kept to recognise a reused copy. */
  rotated: number | null
}

/** An authorization request that waits for its user's decision, bound to the session that saw it. */
export interface AuthorizationRequestRow {
  hash: string
  session: string
  client: string
  redirect_uri: string
  /** True if the client sent the redirect URI and must repeat it. */
  redirect_uri_sent: number
  scope: string
  state: string | null
  challenge: string | null
  expires: number
}

export interface AuthorizationCodeRow {
  hash: string
  client: string
  uid: number
  redirect_uri: string
  redirect_uri_sent: number
  scope: string
  challenge: string | null
  expires: number
  used: number | null
  /** The tokens it gave, which a second use takes back. */
  family: string | null
}

/** Failures in a row of one account name from one address. */
export interface LoginStreakRow {
  name_key: string
  address: string
  failures: number
  last: number
}

interface LoginFailureRow {
  id: Generated<number>
  address: string
  at: number
}

/** Events of accounts, clients and tokens; append-only. */
export interface AccessEventRow {
  sequence: Generated<number>
  at: number
  event: string
  uid: number | null
  client: string | null
  address: string | null
  /** The actor; null for the account itself, or the command line. */
  actor: number | null
}

/** A link that gives an account, or an account a new password, once. */
export interface InvitationRow {
  id: Generated<number>
  hash: string
  kind: 'account' | 'password'
  /** The maker's note on the invited person; may be empty. */
  name: string
  /** The role of the new account. */
  role: RoleName | null
  /** The account that gets a new password. */
  uid: number | null
  /** The hash of what was kept of that account's password when the link was made. */
  password_mark: string | null
  /** Null where the command line made it. */
  made_by: number | null
  created: number
  expires: number
}

/** A report as it was when it was made, for whoever has the key. */
export interface ReportLinkRow {
  id: string
  hash: string
  /** The maker. */
  uid: number
  report: string
  first_day: string
  last_day: string
  with_people: number
  created: number
  expires: number
  /** The SHA-256 of the document, in hexadecimal. */
  checksum: string
  /** The document as JSON; the checksum covers this text. */
  document: string
  /** JSON: the id and revision of each log. */
  logs: string
  log_count: number
}

export interface AccessTables {
  account: AccountRow
  session: SessionRow
  client: ClientRow
  token_family: TokenFamilyRow
  access_token: AccessTokenRow
  refresh_token: RefreshTokenRow
  authorization_request: AuthorizationRequestRow
  authorization_code: AuthorizationCodeRow
  login_streak: LoginStreakRow
  login_failure: LoginFailureRow
  access_event: AccessEventRow
  invitation: InvitationRow
  report_link: ReportLinkRow
}
