/** Says all that there is to do: the system's own words would say it again. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}
