/** Fresh UUIDs for events; a port because randomness is an argument. */
export type NewId = () => string;
