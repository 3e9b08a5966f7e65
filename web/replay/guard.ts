import { guardRealm } from './guard/realm.ts';
import { holdPeerConnections } from './peer-connections.ts';

/*
 * Runs before any archived script, in every document that the worker sends and in every realm that a page makes:
 * takes away what opens connections outside the content security policy (WebRTC above all), and keeps it away in
 * frames, which come with constructors of their own. docs/replay.md says what it cannot catch.
 */
holdPeerConnections(globalThis);
guardRealm(window);
