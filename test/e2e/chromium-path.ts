export async function chromiumPath(): Promise<string> {
  return process.env.CHROME_PATH ?? (await (await import('@sparticuz/chromium')).default.executablePath());
}
