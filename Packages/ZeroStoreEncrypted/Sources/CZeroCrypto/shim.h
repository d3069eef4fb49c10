#ifndef CZERO_CRYPTO_H
#define CZERO_CRYPTO_H

#include <openssl/evp.h>

#endif
