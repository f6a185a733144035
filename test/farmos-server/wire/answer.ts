import { escaped } from '../shapes/rendered-text.ts'
import { phpJson } from './json.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Buffer
}

const neverKept = { 'Cache-Control': 'no-cache, must-revalidate', Expires: 'Sun, 19 Nov 1978 05:00:00 GMT' }

export const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...neverKept },
  body: phpJson(value),
})

/** Errors are never JSON: one line of text that calls itself HTML. */
export const fault = (status: keyof typeof phrases, message?: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=UTF-8', ...neverKept },
  body: `${status} ${phrases[status]}${message === undefined ? '' : `: ${escaped(message)}`}`,
})

const phrases = {
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  412: 'Precondition Failed',
  500: 'Internal Server Error',
}

export const page = (title: string, status = 200): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...neverKept },
  body: `<!DOCTYPE html>\n<html lang="en"><head><title>${escaped(title)} | Farm</title></head><body><h1>${escaped(title)}</h1></body></html>\n`,
})

export const redirect = (address: string, cookies: readonly string[] = []): Answer => ({
  status: 302,
  headers: { Location: address, ...neverKept, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
  body: '',
})

export const notFound = (): Answer => page('Page not found', 404)
export const accessDenied = (): Answer => page('Access denied', 403)
