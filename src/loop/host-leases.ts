/** Which hosts this process may ask, where others ask some of them as well. */
export interface HostLeases {
  /**
   * Whether the host may be asked from here now. Where not, it is asked for, and a later call tells whether it was had. A caller
   * that goes on to ask it must have begun before it lets other code run.
   */
  mayAsk(host: string): boolean;
}
