//! The built program, driven from outside as an operator would, each test on a data directory of its own.

#[cfg(test)]
mod applying;
#[cfg(test)]
mod asking_health;
#[cfg(test)]
mod backing_up;
#[cfg(test)]
mod beside_a_server;
#[cfg(test)]
mod configuring;
#[cfg(test)]
mod granting;
#[cfg(test)]
mod importing;
#[cfg(test)]
mod managing;
#[cfg(test)]
mod operator;
#[cfg(test)]
mod refusing;
